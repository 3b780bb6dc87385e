// Sentences about checks, and about the risks of a change.
import { englishOf } from "../../util/sentences.ts";

/** About checks: the person's own commands, run on a copy of the workspace with the proposal applied. */
export const checks = englishOf({
  checkNone: { en: "The user has set up no checks here.", zh: "用户未在此处设置检查。" },
  checkTimeout: {
    en: "It didn't end in time. Give it more with timeoutSeconds, or use a command that doesn't watch for changes.",
    zh: "未在规定时间内结束。请用 timeoutSeconds 延长时间，或使用不监视更改的命令。",
  },
  checkOutput: {
    en: "It wrote more than is read. Use a command that writes less.",
    zh: "输出超过可读取的量。请使用输出较少的命令。",
  },
  checkFirstOnly: {
    en: "It wrote more than is read; these are from the first part.",
    zh: "输出超过可读取的量；以下来自开头部分。",
  },
  checkDisk: {
    en: "It was stopped because the disk is nearly full. Free some space, then run it again.",
    zh: "磁盘空间即将用尽，已停止。请释放一些空间，然后重新运行。",
  },
  checkBroken: {
    en: "It ended without a result, as after a crash. Look at its output, or run it again.",
    zh: "已结束但没有结果，可能是崩溃。请查看其输出，或重新运行。",
  },
  checkTooMuch: {
    en: "It was stopped because it used too much memory or started too many programs.",
    zh: "因占用内存过多或启动的程序过多，已停止。",
  },
  checkNoSandbox: {
    en: "The sandbox couldn't be started. Look at its output, or run it again.",
    zh: "无法启动沙盒。请查看其输出，或重新运行。",
  },
  checkUnread: { en: "Its output couldn't be read. Run it again.", zh: "无法读取其输出。请重新运行。" },
  checkNotInstalled: { en: "{program} isn't installed.", zh: "未安装 {program}。" },
  checkMissing: {
    en: "The command wasn't found. Install it, or choose another one with Set Up Checks.",
    zh: "未找到该命令。请安装它，或通过“设置检查”选择其他命令。",
  },
  checkWithout: { en: "Without these changes: {why}", zh: "没有这些更改时：{why}" },
  checkNoBaseline: {
    en: "It also fails without these changes, before it has looked at everything. Repair that first: {output}",
    zh: "没有这些更改时它也会失败，而且未检查完所有内容。请先修复：{output}",
  },
  checkStopped: { en: "Stopped.", zh: "已停止。" },
  checkBlind: {
    en: "It doesn't see changes in {packages}. Choose another command with Set Up Checks.",
    zh: "它看不到 {packages} 中的更改。请通过“设置检查”选择其他命令。",
  },
  checkTouched: {
    en: "While it ran, files of the workspace itself changed: {files}.",
    zh: "运行期间，工作区本身的文件发生了更改：{files}。",
  },
  checkWaits: {
    en: "Runs code of this proposal on this computer: {files}. {why}",
    zh: "将在此计算机上运行此提议中的代码：{files}。{why}",
  },
  checkNotAlone: {
    en: "Without a sandbox it runs only on a proposal, once it's allowed there. {why}",
    zh: "没有沙盒时，它仅在获得允许后对提议运行。{why}",
  },
  checkUnknown: {
    en: 'There is no check named "{name}". There are: {names}.',
    zh: "没有名为“{name}”的检查。现有检查：{names}。",
  },
  checkOffered: {
    en: "Runs {command} on a copy of this folder, now and for each proposal.",
    zh: "现在以及每次有提议时，都在此文件夹的副本上运行 {command}。",
  },
  checkPartly: { en: "It doesn't look at {files}.", zh: "它不检查 {files}。" },
  checkFiles: { en: "{files}", zh: "{files}" },
  checkFilesMore: { en: "{files} and {count} more", zh: "{files} 以及另外 {count} 个文件" },
  sandboxPlatform: { en: "There is no sandbox for this system.", zh: "此系统没有可用的沙盒。" },
  sandboxMissing: {
    en: "There is no sandbox: bubblewrap isn't installed.",
    zh: "没有沙盒：未安装 bubblewrap。",
  },
  sandboxOutdated: {
    en: "There is no sandbox: the installed bubblewrap is too old.",
    zh: "没有沙盒：已安装的 bubblewrap 版本过旧。",
  },
  sandboxApparmor: {
    en: "There is no sandbox: AppArmor doesn't allow bubblewrap to make one.",
    zh: "没有沙盒：AppArmor 不允许 bubblewrap 创建沙盒。",
  },
  sandboxNamespaces: {
    en: "There is no sandbox: this system doesn't allow user namespaces.",
    zh: "没有沙盒：此系统不允许用户命名空间。",
  },
  sandboxRefused: {
    en: "There is no sandbox: this system refuses one, as most containers do.",
    zh: "没有沙盒：此系统拒绝创建沙盒，大多数容器都是如此。",
  },
  sandboxLeaks: {
    en: "There is no sandbox: a test program got out of it.",
    zh: "没有沙盒：测试程序逃出了沙盒。",
  },
  checkBodyChanged: { en: "Its script has changed since it was accepted.", zh: "自接受以来，其脚本已更改。" },
  checkFailedToStart: { en: "It couldn't be run.", zh: "无法运行。" },
  checkUntrusted: { en: "Checks don't run in Restricted Mode.", zh: "受限模式下不运行检查。" },
  checkNoFolder: { en: "Checks need an open folder.", zh: "检查需要打开的文件夹。" },
  checkNotLocal: { en: "Checks need files on this computer.", zh: "检查需要位于此计算机上的文件。" },
  checkTooLarge: {
    en: "This folder is too large to copy for checks and commands.",
    zh: "此文件夹过大，无法为检查和命令而复制。",
  },
  checksDone: { en: "{results}", zh: "{results}" },
  checkOk: { en: "{name} ✓", zh: "{name} ✓" },
  checkPassedIn: { en: "{name} ✓ {seconds} s", zh: "{name} ✓ {seconds} 秒" },
  checkRepaired: { en: "✓ {name}: failed before, passes now", zh: "✓ {name}：之前失败，现已通过" },
  checkFixed: { en: "{name} ✓ {count} fixed", zh: "{name} ✓ 已修复 {count} 个" },
  checkNewFixed: {
    en: "{name} ✗ {count} new, {fixed} fixed",
    zh: "{name} ✗ {count} 个新问题，已修复 {fixed} 个",
  },
  checkNoNewFixed: {
    en: "{name}: {fixed} fixed, {count} left",
    zh: "{name}：已修复 {fixed} 个，剩余 {count} 个",
  },
  checkFound: { en: "{name} ✗ {count} found", zh: "{name} ✗ {count} 个问题" },
  checkExcept: { en: "{check} (not {files})", zh: "{check}（不含 {files}）" },
  checkWarning: { en: "{name} ✓ 1 new warning", zh: "{name} ✓ 1 个新警告" },
  checkWarnings: { en: "{name} ✓ {count} new warnings", zh: "{name} ✓ {count} 个新警告" },
  checkNoNew: { en: "{name}: failing, as before this change", zh: "{name}：失败，与更改前相同" },
  checkNew: { en: "{name} ✗ {count} new", zh: "{name} ✗ {count} 个新问题" },
  checkNewFailure: { en: "✗ {name}: 1 new failure – {first}", zh: "✗ {name}：1 个新的失败 – {first}" },
  checkNewFailures: {
    en: "✗ {name}: {count} new failures – {first}",
    zh: "✗ {name}：{count} 个新的失败 – {first}",
  },
  checkNewError: { en: "✗ {name}: 1 new error – {first}", zh: "✗ {name}：1 个新错误 – {first}" },
  checkNewErrors: {
    en: "✗ {name}: {count} new errors – {first}",
    zh: "✗ {name}：{count} 个新错误 – {first}",
  },
  checkNot: { en: "{name}: no result", zh: "{name}：无结果" },
  checkWaiting: { en: "{name}: not run yet", zh: "{name}：尚未运行" },
  checkUnavailable: { en: "{name}: can't run", zh: "{name}：无法运行" },
  checkStale: { en: "{name}: out of date", zh: "{name}：已过期" },
  checkInLine: {
    en: "waits until something else has run on the folder's copy",
    zh: "正在等待文件夹副本上的其他运行结束",
  },
  checkRunning: { en: "{name}: running", zh: "{name}：运行中" },
});

/** Which of the proposed changes break a check. */
export const breaking = englishOf({
  breakingFind: { en: "Find What Breaks", zh: "查找问题所在" },
  breakingPrepares: { en: "Preparing the copy…", zh: "正在准备副本…" },
  breakingRuns: {
    en: "Run {run} of at most {atMost}: {changes} of {all} changes",
    zh: "第 {run} 次运行（最多 {atMost} 次）：{all} 处更改中的 {changes} 处",
  },
  breakingRunsAgain: {
    en: "Again, to be sure: {changes} of {all} changes",
    zh: "再次运行以确认：{all} 处更改中的 {changes} 处",
  },
  breakingFound: { en: "Breaks {names}: {places}", zh: "使 {names} 失败：{places}" },
  breakingAtLeast: {
    en: "Breaks {names}, at least: {places}",
    zh: "使 {names} 失败，至少：{places}",
  },
  breakingNone: { en: "What breaks {names} couldn't be found.", zh: "未能找到使 {names} 失败的更改。" },
  breakingUnsteady: {
    en: "{names} passed and failed with the same changes, so what breaks it can't be told.",
    zh: "{names} 在相同的更改下时而通过时而失败，无法判断是哪处更改所致。",
  },
  breakingTouched: { en: "{said} · {touched}", zh: "{said} · {touched}" },
  breakingStale: {
    en: "The search stopped because the changes or files are different now.",
    zh: "更改或文件已变化，查找已停止。",
  },
  breakingStopped: { en: "The search was stopped.", zh: "查找已停止。" },
  breakingFailed: {
    en: "The search couldn't be finished. The log says why.",
    zh: "无法完成查找。原因见日志。",
  },
});

/** Why a change needs attention, by the flags of src/risk: for a single change, and counted for a whole review. */
export const risk = englishOf({
  riskHidden: { en: "hidden characters", zh: "含隐藏字符" },
  riskSecret: { en: "looks like a secret", zh: "疑似密钥" },
  riskTest: { en: "test weakened", zh: "测试被削弱" },
  riskCheck: { en: "check silenced", zh: "检查被屏蔽" },
  riskConfig: { en: "can run code", zh: "可运行代码" },
  riskDependency: { en: "dependency", zh: "依赖项" },
  riskErrors: { en: "error swallowed", zh: "错误被忽略" },
  riskPublic: { en: "public API", zh: "公共 API" },
  riskPublicOne: { en: "public API, 1 reference", zh: "公共 API，1 处引用" },
  riskPublicMany: { en: "public API, {count} references", zh: "公共 API，{count} 处引用" },
  riskDeletion: { en: "large deletion", zh: "大量删除" },
  riskScope: { en: "not asked for", zh: "超出请求范围" },
  riskFormat: { en: "format only", zh: "仅格式" },
  /** Marks risks that cannot be collapsed. */
  riskGrave: { en: "⚠ {flag}", zh: "⚠ {flag}" },

  riskHiddenOne: { en: "1 with hidden characters", zh: "1 处含隐藏字符" },
  riskHiddenMany: { en: "{count} with hidden characters", zh: "{count} 处含隐藏字符" },
  riskSecretOne: { en: "1 possible secret", zh: "1 处疑似密钥" },
  riskSecretMany: { en: "{count} possible secrets", zh: "{count} 处疑似密钥" },
  riskTestOne: { en: "1 test weakened", zh: "1 个测试被削弱" },
  riskTestMany: { en: "{count} tests weakened", zh: "{count} 个测试被削弱" },
  riskCheckOne: { en: "1 check silenced", zh: "1 项检查被屏蔽" },
  riskCheckMany: { en: "{count} checks silenced", zh: "{count} 项检查被屏蔽" },
  riskConfigOne: { en: "1 can run code", zh: "1 处可运行代码" },
  riskConfigMany: { en: "{count} can run code", zh: "{count} 处可运行代码" },
  riskDependencyOne: { en: "1 dependency", zh: "1 个依赖项" },
  riskDependencyMany: { en: "{count} dependencies", zh: "{count} 个依赖项" },
  riskErrorsOne: { en: "1 error swallowed", zh: "1 处错误被忽略" },
  riskErrorsMany: { en: "{count} errors swallowed", zh: "{count} 处错误被忽略" },
  riskPublicApiOne: { en: "1 public API change", zh: "1 处公共 API 更改" },
  riskPublicApiMany: { en: "{count} public API changes", zh: "{count} 处公共 API 更改" },
  riskDeletionOne: { en: "1 large deletion", zh: "1 处大量删除" },
  riskDeletionMany: { en: "{count} large deletions", zh: "{count} 处大量删除" },
  riskScopeOne: { en: "1 not asked for", zh: "1 处超出请求范围" },
  riskScopeMany: { en: "{count} not asked for", zh: "{count} 处超出请求范围" },
  riskFormatOne: { en: "1 format only", zh: "1 处仅格式" },
  riskFormatMany: { en: "{count} format only", zh: "{count} 处仅格式" },
});
