set -e
rm -f sds-test
make > made.txt 2>&1 || { cat made.txt; exit 1; }
if grep -i warning made.txt; then exit 1; fi
./sds-test > said.txt
last=$(tail -1 said.txt)
echo "$last"
echo "$last" | grep -q ' 0 failed$'
[ "$(echo "$last" | sed 's/ tests,.*//')" -ge 54 ]
cc -std=c99 -g -Wall -fsanitize=address,undefined -o hidden hidden.c sds.c
./hidden
for each in sdsfind sdsstartswith sdsendswith sdsreplace; do
  for file in sds.h README.md Changelog; do grep -q "$each" $file || { echo "$each is not in $file"; exit 1; }; done
done
if grep -n sdscount sds.c sds.h README.md Changelog; then exit 1; fi
head -12 Changelog | grep -q 'Version 2\.1'
