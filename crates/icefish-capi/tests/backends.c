/* Prints the names of the backends of this CPU, for tools/capi-test. */
#include "icefish.h"

#include <stdio.h>

int main(void)
{
    for (size_t i = 0; icefish_backend_name(i); i++)
        puts(icefish_backend_name(i));
    return 0;
}
