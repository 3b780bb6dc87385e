# Compiles the parser with and without the option, and compares what its handler is called with.
set -e
export LC_ALL=C
check() {
  printf '%b' "$2" >input.ini
  ./parser input.ini >got.txt
  printf '%b' "$3" >wanted.txt
  diff -u wanted.txt got.txt || { echo "$1"; exit 1; }
}
cat >parser.c <<'C'
#include <stdio.h>
#include "ini.h"
static int show(void* user, const char* section, const char* name, const char* value) {
    (void)user;
    printf("%s|%s|%s\n", section, name, value ? value : "(null)");
    return 1;
}
int main(int argc, char** argv) {
    (void)argc;
    printf("%d\n", ini_parse(argv[1], show, NULL));
    return 0;
}
C
build() { gcc -std=c99 -Wall -Wextra -Werror -I. "$@" -o parser parser.c ini.c; }

build
check "off by default" '[a]\nx = "b ; c"\ny = "d"\n' 'a|x|"b\na|y|"d"\n0\n'

build -DINI_ALLOW_QUOTED_VALUES=0
check "off when told so" 'y = "d"\n' '|y|"d"\n0\n'

build -DINI_ALLOW_QUOTED_VALUES=1
check "quotes are taken off" '[a]\nx = "b"\ny: "c"\n' 'a|x|b\na|y|c\n0\n'
check "a comment sign inside" 'x = "b ; c"\n' '|x|b ; c\n0\n'
check "spaces inside stay" 'x =   "  b  "  \n' '|x|  b  \n0\n'
check "a comment behind" 'x = "b" ; note\ny = "" ; "q"\n' '|x|b\n|y|\n0\n'
check "equal signs inside" 'x = "a=b:c"\n' '|x|a=b:c\n0\n'
check "unquoted ones as before" 'x = b ; c\ny = it"s ; d"\n' '|x|b\n|y|it"s\n0\n'
check "no closing quote is an error and the rest goes on" 'w = 1\nx = "b ; c\ny = 2\n' '|w|1\n|y|2\n2\n'
check "text behind the quote is an error" 'x = "b" c\ny = 2\n' '|y|2\n1\n'
check "a semicolon right behind the quote is no comment" 'x = "b";c\n' '1\n'
check "lines that go on keep their quotes" 'x = "b"\n  "c"\n' '|x|b\n|x|"c"\n0\n'
check "Windows lines" 'x = "b"\r\n' '|x|b\n0\n'
check "after an error no line goes on for it" 'w = 1\nx = "b\n  more\n' '|w|1\n2\n'
check "and is no pair of its own" 'x = "b\n  y = 3\n  z\nz = 1\n  2\n' '|z|1\n|z|2\n1\n'

build -DINI_ALLOW_QUOTED_VALUES=1 -DINI_ALLOW_INLINE_COMMENTS=0
check "without inline comments" 'x = "b ; c"\ny = "b" ; c\n' '|x|b ; c\n2\n'

build -DINI_ALLOW_QUOTED_VALUES=1 -DINI_ALLOW_MULTILINE=0
check "without multi-line" 'x = "b ; c"\n' '|x|b ; c\n0\n'

build -DINI_ALLOW_QUOTED_VALUES=1 -DINI_USE_STACK=0 -DINI_STOP_ON_FIRST_ERROR=1
check "stops at the first error where told" 'x = "b\ny = 2\n' '1\n'

grep -q INI_ALLOW_QUOTED_VALUES README.md
