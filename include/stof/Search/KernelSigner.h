//===----------------------------------------------------------------------===//
// Signatures of kernel modules.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_KERNELSIGNER_H
#define STOF_SEARCH_KERNELSIGNER_H

#include "stof/IR/Stof.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace stof {

/// Signs modules. The digest of a mask takes long, so it is computed once for
/// all layers that spell the mask alike.
class KernelSigner {
public:
  /// The SHA-256 of `module`, with the digest of its mask in place of its
  /// spelling.
  std::string sign(mlir::ModuleOp module);

private:
  const std::string &digest(AttentionOp op, MaskOpInterface mask);

  /// The digests of masks, by the hashes of their spellings.
  std::map<std::string, std::string> digests;
};

} // namespace stof

#endif // STOF_SEARCH_KERNELSIGNER_H
