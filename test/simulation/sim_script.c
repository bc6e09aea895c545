#include "sim.h"

int
script_main(void)
{
    return 2;
}
