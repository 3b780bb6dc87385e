// Sentences about what is known of a change, beside what its response says of it.
import { englishOf } from "../../util/sentences.ts";

export const evidence = englishOf({
  claimSays: { en: "The response says “{quote}”. {why}", zh: "回复称“{quote}”。{why}" },
  claimFails: { en: "On this proposal: {results}", zh: "在此提议上：{results}" },
  claimCallers: {
    en: "References to {names} in files that stay as they are: {count}.",
    zh: "保持不变的文件中对 {names} 的引用：{count} 处。",
  },
  claimNotFormatting: { en: "More than formatting changes in {files}.", zh: "{files} 中不只是格式更改。" },
  claimApi: { en: "The public API changes in {files}.", zh: "{files} 中更改了公共 API。" },
  claimOtherFiles: { en: "It also changes {files}.", zh: "它还更改了 {files}。" },
  claimDependency: { en: "A dependency is added in {files}.", zh: "{files} 中添加了依赖项。" },
  claimTests: { en: "It changes {files}.", zh: "它更改了 {files}。" },
  claimNoTests: { en: "It changes no file of tests.", zh: "它没有更改任何测试文件。" },
  claimProven: { en: "Proven: “{quote}” ({by})", zh: "已证实：“{quote}”（{by}）" },
  claimNotChecked: { en: "Not checked: “{quote}”", zh: "未核实：“{quote}”" },
  evidenceContradictedOne: { en: "1 claim contradicted", zh: "1 项说法不符" },
  evidenceContradicted: { en: "{count} claims contradicted", zh: "{count} 项说法不符" },
  evidenceProven: { en: "{count} proven", zh: "{count} 项已证实" },
  evidenceNotChecked: { en: "{count} not checked", zh: "{count} 项未核实" },
  evidenceSeenOf: {
    en: "{seen} of {count} changes seen in the editor",
    zh: "已在编辑器中查看 {seen}/{count} 处更改",
  },
  evidenceSeen: { en: "seen in the editor", zh: "已在编辑器中查看" },
  evidenceUnseen: { en: "not seen in the editor", zh: "未在编辑器中查看" },
  evidenceReferences: {
    en: "references elsewhere: {count}, of these in files that stay as they are: {untouched}",
    zh: "其他位置的引用：{count} 处，其中位于保持不变的文件：{untouched} 处",
  },
  evidenceOfChange: { en: "{place}: {facts}", zh: "{place}：{facts}" },
  evidenceOnState: { en: "Checks on proposal {state}: {results}", zh: "对提议 {state} 的检查：{results}" },
  evidenceOutdated: {
    en: "Checks on proposal {state}, which has changed since: {results}",
    zh: "对提议 {state}（此后已更改）的检查：{results}",
  },
  evidenceUnchecked: { en: "No check has run on this proposal.", zh: "尚未对此提议运行任何检查。" },
  evidenceAccepted: {
    en: "Checks before {files} was accepted: {results}",
    zh: "接受 {files} 之前的检查：{results}",
  },
  evidenceChangedSince: { en: "Changed since: {files}", zh: "此后已更改：{files}" },
});
