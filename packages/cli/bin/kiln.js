#!/usr/bin/env node
import { main } from '../dist/main.js'

// The code is set and the process ends by itself, so that what is still in a pipe gets through.
process.exitCode = await main(process.argv.slice(2))
