/**
 * A Perl program that restricts itself with Landlock and a seccomp filter and then becomes another program. Node cannot make these system
 * calls, and Perl is part of every Debian.
 *
 * Arguments: the number of `prctl`, the filter in hexadecimal digits, rules such as `r/usr/lib` (r: read, x: read and execute, w: read and
 * write), `--`, and the command. A rule for a path that does not exist is left out.
 */
export const landlockLauncher = String.raw`
use strict;
my ($prctl, $digits) = splice(@ARGV, 0, 2);
$prctl += 0;
my ($createRuleset, $addRule, $restrictSelf) = (444, 445, 446);
my ($execute, $writeFile, $readFile, $readDir, $removeDir, $removeFile, $makeDir, $makeFile, $truncate, $device) =
  (1, 2, 4, 8, 16, 32, 128, 256, 16384, 32768);

my $abi = syscall($createRuleset, 0, 0, 1);
exit 125 if $abi < 1;
my $handled = $abi >= 5 ? 0xffff : $abi >= 3 ? 0x7fff : $abi == 2 ? 0x3fff : 0x1fff;
my $attributes = pack('Q', $handled);
$attributes .= pack('Q', 3) if $abi >= 4;
$attributes .= pack('Q', 3) if $abi >= 6;
my $ruleset = syscall($createRuleset, $attributes, length($attributes), 0);
exit 125 if $ruleset < 0;

my $read = $readFile | $readDir;
my %accesses = (
  r => $read,
  x => $read | $execute,
  w => $read | $writeFile | $removeDir | $removeFile | $makeDir | $makeFile | $truncate,
);
while (defined(my $rule = shift @ARGV)) {
  last if $rule eq '--';
  my $access = $accesses{substr($rule, 0, 1)};
  my $path = substr($rule, 1);
  sysopen(my $file, $path, 0x200000 | 0x80000) or next;
  $access &= $execute | $writeFile | $readFile | $truncate | $device unless -d $path;
  my $beneath = pack('Ql', $access & $handled, fileno($file));
  exit 125 if syscall($addRule, $ruleset, 1, $beneath, 0) < 0;
}

exit 125 if syscall($prctl, 38, 1, 0, 0, 0) < 0;
exit 125 if syscall($restrictSelf, $ruleset, 0) < 0;
if ($digits ne '') {
  my $filter = pack('H*', $digits);
  my $program = pack('S x6 P', length($filter) / 8, $filter);
  exit 125 if syscall($prctl, 22, 2, $program, 0, 0) < 0;
}
exec { $ARGV[0] } @ARGV;
exit 127;
`
