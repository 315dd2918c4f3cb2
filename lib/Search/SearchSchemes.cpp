//===----------------------------------------------------------------------===//
// Walks over fusion schemes.
//===----------------------------------------------------------------------===//

#include "stof/Search/SearchSchemes.h"

#include "stof/Fusion/GroupOperations.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "stof-search"

using namespace mlir;
using namespace stof;

std::string FusionScheme::getBits() const {
  std::string bits;
  for (auto [number, kernel] : llvm::enumerate(kernels))
    bits.append(kernel.size(), number % 2 ? '1' : '0');
  return bits;
}

bool FusionScheme::take(const SchemeMove &move) {
  size_t count = move.before.size();
  for (auto place = kernels.begin(); place + count <= kernels.end(); ++place)
    if (std::equal(move.before.begin(), move.before.end(), place)) {
      kernels.insert(kernels.erase(place, place + count), move.after.begin(),
                     move.after.end());
      microseconds -= move.gain;
      return true;
    }
  return false;
}

namespace {

/// A move of the kernels from `first` on.
struct PlacedMove : SchemeMove {
  size_t first;
};

/// A way through the schemes of a function.
class SchemeWalk {
public:
  /// `left` is the number of schemes that may still be compared.
  SchemeWalk(SmallVector<OpSequence> kernels, PlanCache &plans, unsigned &left)
      : kernels(std::move(kernels)), plans(plans), left(left) {}

  /// Goes on until no move gains.
  void descend() {
    while (true) {
      std::optional<PlacedMove> best = findBest(0, kernels.size());
      if (best && best->gain > least) {
        take(*best);
        continue;
      }
      if (!takePair())
        return;
    }
  }

  /// The moves of the scheme that lose at most `share` of the time of what they
  /// replace.
  std::vector<Alternative> listAlternatives(double share) {
    llvm::MapVector<llvm::hash_code, Alternative> byHash;
    auto add = [&](ArrayRef<PlacedMove> moves) {
      for (const PlacedMove &move : moves) {
        double cost = 0;
        for (const OpSequence &sequence : move.before)
          cost += estimateCost(sequence, plans).microseconds;
        if (-move.gain <= share * cost)
          byHash[hash(move)].push_back(move);
      }
    };
    for (size_t first = 0; first < kernels.size(); ++first) {
      add(listSplits(first));
      if (first + 1 < kernels.size())
        add(listMoves(first));
    }
    std::vector<std::pair<double, unsigned>> order;
    for (auto [number, entry] : llvm::enumerate(byHash))
      order.push_back({-entry.second.front().gain, number});
    llvm::sort(order);
    std::vector<Alternative> alternatives;
    for (auto [loss, number] : order)
      alternatives.push_back(std::move((byHash.begin() + number)->second));
    return alternatives;
  }

  FusionScheme getScheme() {
    FusionScheme scheme{kernels, 0};
    for (const OpSequence &kernel : kernels)
      scheme.microseconds += estimateCost(kernel, plans).microseconds;
    return scheme;
  }

private:
  /// The smallest gain worth a move, in microseconds.
  static constexpr double least = 0.01;

  static unsigned countIntensive(const OpSequence &kernel) {
    return llvm::count_if(kernel, [](Operation *op) {
      return classifyOperation(op) == OperationClass::ComputeIntensive;
    });
  }

  /// The cost of one kernel for `sequence`; none if there is no such kernel.
  std::optional<double> costOf(const OpSequence &sequence) {
    if (sequence.size() > 1 && !plans.getPlan(sequence))
      return std::nullopt;
    return estimateCost(sequence, plans).microseconds;
  }

  /// Adds the move to `moves` if it is legal.
  void consider(StringRef name, size_t first, size_t count,
                ArrayRef<OpSequence> after,
                SmallVectorImpl<PlacedMove> &moves) {
    if (left == 0)
      return;
    --left;
    PlacedMove move;
    move.name = name;
    move.first = first;
    move.before.assign(&kernels[first], &kernels[first] + count);
    move.after.assign(after.begin(), after.end());
    for (const OpSequence &sequence : move.before)
      move.gain += estimateCost(sequence, plans).microseconds;
    for (const OpSequence &sequence : move.after) {
      std::optional<double> cost = costOf(sequence);
      if (!cost)
        return;
      move.gain -= *cost;
    }
    moves.push_back(std::move(move));
  }

  /// The legal moves of the kernels `first` and `first + 1`.
  SmallVector<PlacedMove> listMoves(size_t first) {
    SmallVector<PlacedMove> moves;
    const OpSequence &lhs = kernels[first], &rhs = kernels[first + 1];
    if (lhs.back()->getBlock() != rhs.front()->getBlock())
      return moves;
    OpSequence joined = lhs;
    llvm::append_range(joined, rhs);
    consider("expand", first, 2, joined, moves);
    unsigned ofLhs = countIntensive(lhs), ofRhs = countIntensive(rhs);
    StringRef name = ofLhs && ofRhs ? "compete" : "seize";
    auto moveBoundary = [&](size_t size) {
      ArrayRef<Operation *> all(joined);
      consider(
          name, first, 2,
          {OpSequence(all.take_front(size)), OpSequence(all.drop_front(size))},
          moves);
    };
    auto growLhs = [&] {
      if (ofLhs && rhs.size() > 1)
        moveBoundary(lhs.size() + 1);
    };
    auto growRhs = [&] {
      if (ofRhs && lhs.size() > 1)
        moveBoundary(lhs.size() - 1);
    };
    if (ofLhs <= ofRhs) {
      growLhs();
      growRhs();
    } else {
      growRhs();
      growLhs();
    }
    return moves;
  }

  /// The legal ways to split a kernel in two.
  SmallVector<PlacedMove> listSplits(size_t first) {
    SmallVector<PlacedMove> moves;
    ArrayRef<Operation *> all(kernels[first]);
    for (size_t size = 1; size < all.size(); ++size)
      consider(
          "split", first, 1,
          {OpSequence(all.take_front(size)), OpSequence(all.drop_front(size))},
          moves);
    return moves;
  }

  /// Equal for moves of equal operations, whatever they read.
  static llvm::hash_code hash(const SchemeMove &move) {
    llvm::hash_code code = llvm::hash_value(move.name);
    for (const SmallVector<OpSequence> *sequences : {&move.before, &move.after})
      for (const OpSequence &sequence : *sequences) {
        code = llvm::hash_combine(code, sequence.size());
        for (Operation *op : sequence)
          code = llvm::hash_combine(
              code, OperationEquivalence::computeHash(
                        op, OperationEquivalence::ignoreHashValue,
                        OperationEquivalence::ignoreHashValue,
                        OperationEquivalence::IgnoreLocations));
      }
    return code;
  }

  /// The move of the kernels from `begin` to `end` that gains most.
  std::optional<PlacedMove> findBest(size_t begin, size_t end) {
    std::optional<PlacedMove> best;
    for (size_t first = begin; first + 1 < std::min(end, kernels.size());
         ++first)
      for (PlacedMove &move : listMoves(first))
        if (!best || move.gain > best->gain)
          best = std::move(move);
    return best;
  }

  /// Tries two moves next to each other, of which the first loses. Returns
  /// whether both together gain.
  bool takePair() {
    for (size_t first = 0; first + 1 < kernels.size(); ++first)
      for (const PlacedMove &move : listMoves(first)) {
        take(move);
        std::optional<PlacedMove> next =
            findBest(first == 0 ? 0 : first - 1, first + 3);
        if (next && move.gain + next->gain > least) {
          take(*next);
          return true;
        }
        undo(move);
      }
    return false;
  }

  void replace(size_t first, size_t count, ArrayRef<OpSequence> now) {
    auto place = kernels.begin() + first;
    kernels.insert(kernels.erase(place, place + count), now.begin(), now.end());
  }

  void take(const PlacedMove &move) {
    LDBG() << move.name << ": " << describeSequence(move.before.front())
           << " with " << describeSequence(move.before.back()) << ", a gain of "
           << move.gain << " us";
    replace(move.first, move.before.size(), move.after);
  }

  void undo(const PlacedMove &move) {
    replace(move.first, move.after.size(), move.before);
  }

  SmallVector<OpSequence> kernels;
  PlanCache &plans;
  unsigned &left;
};

} // namespace

SchemeSearch stof::searchSchemes(func::FuncOp function,
                                 const TargetInfo *target, unsigned most) {
  PlanCache plans(target);
  SmallVector<OpSequence> greedy, separate;
  for (Block &block : function.getBody()) {
    OpSequence operations = listOperations(block, plans);
    llvm::append_range(greedy, stof::partition(operations, plans));
    for (Operation *op : operations)
      separate.push_back({op});
  }
  unsigned left = most;
  SchemeSearch found;
  SchemeWalk fromGreedy(greedy, plans, left);
  found.untuned = fromGreedy.getScheme();
  fromGreedy.descend();
  found.chosen = fromGreedy.getScheme();
  SchemeWalk fromSeparate(separate, plans, left);
  fromSeparate.descend();
  FusionScheme other = fromSeparate.getScheme();
  if (other.microseconds < found.chosen.microseconds)
    found.chosen = std::move(other);
  found.tried = most - left;
  // The model is within a fifth of measured times where it ranks well.
  constexpr double uncertainty = 0.2;
  unsigned forAlternatives = most;
  found.alternatives = SchemeWalk(found.chosen.kernels, plans, forAlternatives)
                           .listAlternatives(uncertainty);
  return found;
}
