// Written by make-table.
#include "CToDoPage.h"

// #embed is C23, which Clang offers in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "page/index.html"
};

static const struct todo_page_file files[] = {
  {"index.html", file0, sizeof file0},
};

size_t todo_page_file_count(void) {
  return sizeof files / sizeof *files;
}

struct todo_page_file todo_page_file(size_t index) {
  return files[index];
}
