#include "program_module.h"

#include "program.h"
#include "rules/language.h"

#include <dlfcn.h>
#include <stdio.h>

const void *program_module(const char *name) {
    void *module = dlopen("tsume-draw.so", RTLD_NOW | RTLD_LOCAL); /* the program's RPATH says where */
    const void *object = module ? dlsym(module, name) : NULL;
    if (!object) {
        char message[512];
        snprintf(message, sizeof message, _("pictures cannot be drawn: %s"), dlerror());
        program_fail(0, message);
    }
    return object;
}
