// VS Code makes links of `[label](command:…)` in what it tells in a corner of the window, and runs what is clicked. The
// words of others – the name of a file, what a service says – must not become one. Pure.

/** It is one only where nothing stands between the brackets. */
export const withoutLinks = (text: string): string => text.replaceAll("](", "] (");
