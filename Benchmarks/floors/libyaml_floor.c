/* The floor for validating manifests: a whole file read, then libyaml's bare event loop over it, one
   file after the other.
   cc -O2 -o libyaml_floor libyaml_floor.c -lyaml && ./libyaml_floor FILE... */
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

static int read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return perror(path), 2;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size + 1);
  if (!bytes || fread(bytes, 1, size, file) != size) return perror(path), 2;
  fclose(file);

  yaml_parser_t parser;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, bytes, size);
  unsigned long events = 0;
  for (int ended = 0; !ended; events++) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) return fprintf(stderr, "%s\n", parser.problem), 1;
    ended = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  free(bytes);
  printf("%lu events, %zu bytes\n", events, size);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: libyaml_floor FILE...\n"), 2;
  for (int number = 1; number < argc; number++) {
    int status = read_file(argv[number]);
    if (status) return status;
  }
  return 0;
}
