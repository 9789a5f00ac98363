// @ts-check
// The engine for the replays of c4-referee and its server, which load this file from the folder of the board.

import { Engine } from "./engine/client.js";

Object.assign(globalThis, { C4Engine: Engine });
