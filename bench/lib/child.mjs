// One section, or one workload of it, in a process of its own: see run.mjs.
import { against } from '../sections/against.mjs'
import { allocation } from '../sections/allocation.mjs'
import { frames } from '../sections/frames.mjs'
import { growth } from '../sections/growth.mjs'
import { limits } from '../sections/limits.mjs'
import { workloads } from './workload-list.mjs'

const SECTIONS = { against, limits, frames, growth, allocation }

const { section, id, ...options } = JSON.parse(process.argv[2])
const run = SECTIONS[section]
const result = id === undefined ? await run(options) : run(workloads.find((workload) => workload.id === id), options)
process.send(result)
