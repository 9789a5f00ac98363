import { Engine } from "./engine/client.js"; globalThis.engine = new Engine();
