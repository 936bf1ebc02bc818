#include "program.h"

int main(int argc, char** argv) {
  return wordsway::app::run_program(argc, argv);
}
