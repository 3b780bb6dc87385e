// Lets whoever reads a reply hold its connection back. Not by the library's own pausing: where a connection ends while its
// parser is paused, the library throws where nobody can catch it, or calls a reply cut that came whole, and the request never
// ends (nodejs/undici#5360; mended in a version that VS Code's Node is too old for). Held back here, the bytes stay in the
// connection, and it does not end before they were read.
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

/** What receives from one connection. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** `onRead`: what is parsed from here to the end of this task was read from that connection. */
export const holdable =
  (connect: buildConnector.connector, onRead: (from: Flow) => void): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket) guard(socket, onRead);
      callback(...connected);
    });

function guard(socket: Socket, onRead: (from: Flow) => void): void {
  const read = socket.read.bind(socket);
  let isHeld = false;
  const flow: Flow = {
    pause() {
      isHeld = true;
    },
    resume() {
      if (!isHeld) return;
      isHeld = false;
      // Not while the parser is at work, which may be what calls this.
      queueMicrotask(() => socket.emit("readable"));
    },
  };
  socket.read = (size) => {
    if (isHeld) return null;
    onRead(flow);
    return read(size);
  };
}
