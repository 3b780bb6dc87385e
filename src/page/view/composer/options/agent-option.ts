// The row of the model menu for the custom agents of the workspace. A conversation keeps the agent that it began with.
import type { ViewState } from "../../../../bridge/view-state.ts";
import type { Post } from "../../../render-context.ts";
import { fill, strings } from "../../../words/strings.ts";
import type { Option } from "./option-list.ts";

export function agentOptions({ agents }: ViewState, post: Post): readonly Option[] {
  if (agents === undefined) return [];
  const { list, chosen, isFixed } = agents;
  const choose = (id: string | undefined, label: string, description?: string): Option => ({
    label,
    description,
    kind: "radio",
    chosen: id === chosen?.id,
    run: () => post({ type: "choose-agent", ...(id !== undefined && { agent: id }) }),
  });
  const described = ({ description, model }: (typeof list)[number]) =>
    [description, model === undefined ? "" : fill(strings.agentModel, { model })].filter(Boolean).join(" · ");
  return [
    {
      label: strings.agent,
      value: chosen?.name ?? strings.noAgent,
      begins: true,
      ...(isFixed
        ? { isOff: true, description: strings.agentFixed }
        : {
            remark: strings.agentRemark,
            list: () => [
              choose(undefined, strings.noAgent),
              ...list.map((agent) => choose(agent.id, agent.name, described(agent))),
            ],
          }),
    },
  ];
}

export const agentName = ({ agents }: ViewState): string => agents?.chosen?.name ?? "";
