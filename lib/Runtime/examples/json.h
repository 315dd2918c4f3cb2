/*===----------------------------------------------------------------------===*\
|* JSON as a tree, for valid texts. Any other reader serves as well.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_EXAMPLES_JSON_H
#define STOF_EXAMPLES_JSON_H

#include <stdint.h>

typedef struct json {
  /** The first character: { [ " or that of a number or a word. */
  char kind;
  /** Of a string, a number or a word; a number may be followed by anything. */
  char *text;
  /** The name of an entry of an object. */
  char *key;
  /** The first entry, and the next one of the same object or list. */
  struct json *child, *next;
} json;

/** Parses the value at `*at`, and moves `*at` behind it. Strings are unescaped
 * where they are. */
json *parse_json(char **at);

/** The entry `key` of an object, or null. */
json *find_entry(const json *object, const char *key);

/** The first entry of the list that is the entry `key` of an object, or null.
 */
json *find_list(const json *object, const char *key);

#endif /* STOF_EXAMPLES_JSON_H */
