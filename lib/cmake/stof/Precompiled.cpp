// An object library needs a source; this one exists for its precompiled header.
