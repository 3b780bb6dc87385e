// What a tool may do, in the settings and in one conversation. Alone here, because activation reads the settings.

/** `ask` asks the user each time; `off` is not offered at all. In this order: each is stricter than those before. */
export const permissions = ["auto", "ask", "off"] as const;
export type Permission = (typeof permissions)[number];
