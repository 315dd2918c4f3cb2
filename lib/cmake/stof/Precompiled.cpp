// The source of the object library that provides the precompiled header.
