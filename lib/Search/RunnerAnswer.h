//===----------------------------------------------------------------------===//
// The answers of stof-run --serve, of which tools/stof-run/Serve.h tells.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_RUNNERANSWER_H
#define STOF_LIB_SEARCH_RUNNERANSWER_H

#include "stof/Search/Measurer.h"

#include <variant>

namespace stof {

/// A package is about to run.
struct BeginAnswer {
  size_t index;
};

/// A package was measured, or has an error.
struct MeasuredAnswer {
  size_t index;
  Measurement measurement;
};

/// All packages of the request were answered.
struct DoneAnswer {};

/// The request cannot be served.
struct RefusedAnswer {
  std::string reason;
};

using RunnerAnswer = std::variant<MeasuredDevice, BeginAnswer, MeasuredAnswer,
                                  DoneAnswer, RefusedAnswer>;

/// Reads a line. Fails if it is no answer.
llvm::Expected<RunnerAnswer> parseAnswer(llvm::StringRef line);

} // namespace stof

#endif // STOF_LIB_SEARCH_RUNNERANSWER_H
