#ifndef STOF_TEST_LIB_TESTTILES
#define STOF_TEST_LIB_TESTTILES

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "stof/Tile/TileInterfaces.td"
include "stof/Tile/TileTypes.td"

def TestTiles_Dialect : Dialect {
  let name = "test_tiles";
  let cppNamespace = "::test_tiles";
  let dependentDialects = ["::stof::tile::TileDialect"];
}

class TestTiles_Op<string mnemonic, list<Trait> traits>
    : Op<TestTiles_Dialect, mnemonic, traits>;

def TestTiles_ReverseOp : TestTiles_Op<"reverse", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tile_SharedMemoryOpInterface, [
      "getSharedBytes", "getSharedAccesses", "synchronizes"
    ]>
  ]> {
  let summary = "The elements of a vector in reverse order";
  let description = [{
    Threads exchange their elements in temporary shared memory, around a barrier
    of the operation.

    **Example**: `%y = test_tiles.reverse %x : !tile.fragment<256xf32, #line>`
  }];
  let arguments = (ins Tile_FragmentType:$source);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def TestTiles_TransposeOp : TestTiles_Op<"transpose", [
    Pure, DeclareOpInterfaceMethods<Tile_SharedMemoryOpInterface,
                                    ["getSharedAccesses"]>
  ]> {
  let summary = "A shared tile with rows and columns exchanged";
  let description = [{
    The result has a buffer of its own. Threads copy element by element.

    **Example**

    ```mlir
    %t = test_tiles.transpose %s : !tile.shared<32x64xf16> -> !tile.shared<64x32xf16>
    ```
  }];
  let arguments = (ins Tile_SharedType:$source);
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

#endif // STOF_TEST_LIB_TESTTILES
