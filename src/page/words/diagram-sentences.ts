// What a drawn diagram says, also to those who do not see it.
import { englishOf } from "../../util/sentences.ts";

export const diagramSentences = englishOf({
  showCode: { en: "Show Code", zh: "显示代码" },
  showDiagram: { en: "Show Diagram", zh: "显示图表" },
  zoomIn: { en: "Zoom In", zh: "放大" },
  zoomOut: { en: "Zoom Out", zh: "缩小" },
  zoomFit: { en: "Reset Zoom", zh: "重置缩放" },
  keys: {
    en: "Diagram. + and − zoom, 0 resets, arrow keys scroll.",
    zh: "图表。+ 和 − 缩放，0 重置，方向键滚动。",
  },
  flowchart: { en: "Flowchart", zh: "流程图" },
  state: { en: "State diagram", zh: "状态图" },
  sequence: { en: "Sequence diagram", zh: "时序图" },
  class: { en: "Class diagram", zh: "类图" },
  er: { en: "Entity relationship diagram", zh: "实体关系图" },
  described: { en: "{kind}: {nodes}, {links}. {list}", zh: "{kind}：{nodes}，{links}。{list}" },
  oneNode: { en: "1 node", zh: "1 个节点" },
  nodes: { en: "{count} nodes", zh: "{count} 个节点" },
  oneLink: { en: "1 connection", zh: "1 条连接" },
  links: { en: "{count} connections", zh: "{count} 条连接" },
  link: { en: "{from} to {to}", zh: "{from} 到 {to}" },
  linkNamed: { en: "{from} to {to}: {label}", zh: "{from} 到 {to}：{label}" },
  between: { en: "; ", zh: "；" },
  start: { en: "start", zh: "开始" },
  end: { en: "end", zh: "结束" },
  more: { en: "And {count} more.", zh: "以及另外 {count} 条。" },
  kind: {
    en: "Not drawn: only flowcharts and state, sequence, class and entity relationship diagrams are.",
    zh: "未绘制：仅支持流程图、状态图、时序图、类图和实体关系图。",
  },
  text: { en: "Not drawn: not all of this diagram was understood.", zh: "未绘制：未能完全理解此图表。" },
  size: { en: "Not drawn: this diagram is too large.", zh: "未绘制：此图表过大。" },
  time: { en: "Not drawn: this diagram takes too long.", zh: "未绘制：绘制此图表耗时过长。" },
  failed: { en: "Not drawn: drawing failed.", zh: "未绘制：绘制失败。" },
});
