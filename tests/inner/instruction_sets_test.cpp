// The host's kernels for every instruction set, not only the best: models against PyTorch's files in golden/.
#include "instruction_sets.hpp"

#include "golden_gradients.hpp"

TEST_CASE("gradients of models are PyTorch's with every instruction set") {
  testing::on_every_instruction_set([](const testing::SharedContext& context) { testing::check_gradients(context); });
}
