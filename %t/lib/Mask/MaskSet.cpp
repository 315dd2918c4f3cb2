#include "stof/CostModel/CostModel.h"
