#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "sds.h"

static int is(sds s, const char *bytes, size_t len) {
    return sdslen(s) == len && memcmp(s, bytes, len) == 0 && s[len] == '\0';
}

int main(void) {
    sds s = sdsnewlen("ab\0ab\0abc", 9);

    assert(sdsfind(s, 0, "ab", 2) == 0);
    assert(sdsfind(s, 1, "ab", 2) == 3);
    assert(sdsfind(s, 4, "ab", 2) == 6);
    assert(sdsfind(s, 0, "b\0a", 3) == 1);
    assert(sdsfind(s, 2, "b\0a", 3) == 4);
    assert(sdsfind(s, 0, "abc", 3) == 6);
    assert(sdsfind(s, 0, "abcd", 4) == -1);
    assert(sdsfind(s, 7, "abc", 3) == -1);
    assert(sdsfind(s, 0, "c\0", 2) == -1);
    assert(sdsfind(s, 5, "", 0) == 5);
    assert(sdsfind(s, 9, "", 0) == 9);
    assert(sdsfind(s, 10, "", 0) == -1);
    assert(sdsfind(s, 10, "a", 1) == -1);
    assert(sdsfind(s, (size_t)-1, "a", 1) == -1);
    assert(sdsfind(s, (size_t)-1, "", 0) == -1);

    assert(sdsstartswith(s, "ab\0a", 4) == 1);
    assert(sdsstartswith(s, "b", 1) == 0);
    assert(sdsstartswith(s, "", 0) == 1);
    assert(sdsstartswith(s, "ab\0ab\0abcd", 10) == 0);
    assert(sdsendswith(s, "\0abc", 4) == 1);
    assert(sdsendswith(s, "ab", 2) == 0);
    assert(sdsendswith(s, "", 0) == 1);
    assert(sdsendswith(s, "xab\0ab\0abc", 10) == 0);

    s = sdsreplace(s, "ab", 2, "xyz", 3);
    assert(is(s, "xyz\0xyz\0xyzc", 12));
    s = sdsreplace(s, "\0", 1, "", 0);
    assert(is(s, "xyzxyzxyzc", 10));
    s = sdsreplace(s, "xyz", 3, "x", 1);
    assert(is(s, "xxxc", 4));
    s = sdsreplace(s, "xx", 2, "xx-", 3);
    assert(is(s, "xx-xc", 5));
    s = sdsreplace(s, "", 0, "!", 1);
    assert(is(s, "xx-xc", 5));
    s = sdsreplace(s, "nowhere", 7, "!", 1);
    assert(is(s, "xx-xc", 5));
    s = sdsreplace(s, "xx-xc", 5, "", 0);
    assert(is(s, "", 0));
    s = sdsreplace(s, "a", 1, "b", 1);
    assert(is(s, "", 0));
    assert(sdsstartswith(s, "", 0) == 1 && sdsfind(s, 0, "", 0) == 0 && sdsfind(s, 0, "a", 1) == -1);
    sdsfree(s);

    /* It grows over the borders of the headers. */
    s = sdsnewlen(NULL, 200);
    memset(s, 'a', 200);
    s = sdsreplace(s, "a", 1, "0123456789", 10);
    assert(sdslen(s) == 2000 && memcmp(s + 1990, "0123456789", 10) == 0);
    s = sdsreplace(s, "0123456789", 10, "b", 1);
    assert(sdslen(s) == 200 && s[199] == 'b' && s[200] == '\0');
    sdsfree(s);
    return 0;
}
