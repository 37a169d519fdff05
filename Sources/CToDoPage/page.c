// Written by make-table.
#include "CToDoPage.h"

// #embed is C23, which Clang offers in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "page/api.js"
};

static const unsigned char file1[] = {
#embed "page/app.css"
};

static const unsigned char file2[] = {
#embed "page/app.js"
};

static const unsigned char file3[] = {
#embed "page/calls.js"
};

static const unsigned char file4[] = {
#embed "page/dates.js"
};

static const unsigned char file5[] = {
#embed "page/dom.js"
};

static const unsigned char file6[] = {
#embed "page/form-view.js"
};

static const unsigned char file7[] = {
#embed "page/form.js"
};

static const unsigned char file8[] = {
#embed "page/icon.svg"
};

static const unsigned char file9[] = {
#embed "page/icons.js"
};

static const unsigned char file10[] = {
#embed "page/index.html"
};

static const unsigned char file11[] = {
#embed "page/item-actions.js"
};

static const unsigned char file12[] = {
#embed "page/items.js"
};

static const unsigned char file13[] = {
#embed "page/key-table.js"
};

static const unsigned char file14[] = {
#embed "page/keys.js"
};

static const unsigned char file15[] = {
#embed "page/list-actions.js"
};

static const unsigned char file16[] = {
#embed "page/list-view.js"
};

static const unsigned char file17[] = {
#embed "page/manifest.webmanifest"
};

static const unsigned char file18[] = {
#embed "page/map-view.js"
};

static const unsigned char file19[] = {
#embed "page/map.js"
};

static const unsigned char file20[] = {
#embed "page/moving.js"
};

static const unsigned char file21[] = {
#embed "page/occurrences.js"
};

static const unsigned char file22[] = {
#embed "page/offline.js"
};

static const unsigned char file23[] = {
#embed "page/page-actions.js"
};

static const unsigned char file24[] = {
#embed "page/panel-view.js"
};

static const unsigned char file25[] = {
#embed "page/quick-add.js"
};

static const unsigned char file26[] = {
#embed "page/service-worker.js"
};

static const unsigned char file27[] = {
#embed "page/shell.js"
};

static const unsigned char file28[] = {
#embed "page/state.js"
};

static const unsigned char file29[] = {
#embed "page/store.js"
};

static const unsigned char file30[] = {
#embed "page/sync.js"
};

static const unsigned char file31[] = {
#embed "page/words.js"
};

static const struct todo_page_file files[] = {
  {"api.js", file0, sizeof file0},
  {"app.css", file1, sizeof file1},
  {"app.js", file2, sizeof file2},
  {"calls.js", file3, sizeof file3},
  {"dates.js", file4, sizeof file4},
  {"dom.js", file5, sizeof file5},
  {"form-view.js", file6, sizeof file6},
  {"form.js", file7, sizeof file7},
  {"icon.svg", file8, sizeof file8},
  {"icons.js", file9, sizeof file9},
  {"index.html", file10, sizeof file10},
  {"item-actions.js", file11, sizeof file11},
  {"items.js", file12, sizeof file12},
  {"key-table.js", file13, sizeof file13},
  {"keys.js", file14, sizeof file14},
  {"list-actions.js", file15, sizeof file15},
  {"list-view.js", file16, sizeof file16},
  {"manifest.webmanifest", file17, sizeof file17},
  {"map-view.js", file18, sizeof file18},
  {"map.js", file19, sizeof file19},
  {"moving.js", file20, sizeof file20},
  {"occurrences.js", file21, sizeof file21},
  {"offline.js", file22, sizeof file22},
  {"page-actions.js", file23, sizeof file23},
  {"panel-view.js", file24, sizeof file24},
  {"quick-add.js", file25, sizeof file25},
  {"service-worker.js", file26, sizeof file26},
  {"shell.js", file27, sizeof file27},
  {"state.js", file28, sizeof file28},
  {"store.js", file29, sizeof file29},
  {"sync.js", file30, sizeof file30},
  {"words.js", file31, sizeof file31},
};

size_t todo_page_file_count(void) {
  return sizeof files / sizeof *files;
}

struct todo_page_file todo_page_file(size_t index) {
  return files[index];
}
