import type { Command } from 'commander'
import type { OpenOptions } from '../input/open-any.js'
import { headersOf } from '../input/url.js'
import { collect } from './define.js'

/** Options of every command that reads models of any format. */
export interface InputOptions {
  readonly header?: string[]
  readonly alone?: boolean
  readonly subgraphs?: boolean
}

export function inputOptions(command: Command): Command {
  return command
    .option('--header <name: value>', 'a header for a URL, to its own origin alone; can be given again', collect)
    .option('--alone', 'one file of a set by itself')
    .option('--subgraphs', 'ONNX: the initializers of graphs inside nodes too')
}

export function openOptionsOf({ header, alone, subgraphs }: InputOptions): OpenOptions {
  return { headers: headersOf(header), alone: alone === true, subgraphs: subgraphs === true }
}
