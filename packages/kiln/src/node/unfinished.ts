import { rmSync } from 'node:fs'

// Temporary files that a process which ends early takes with it. This has to be one list a process: signals are
// the process's too.
const unfinished = new Set<string>()

// Once listened to, signals stay so until one comes: a signal that had been caught while its listener was taken away would
// be lost, and the process would go on. A listener of this kind keeps no process alive, and ends it as if it weren't there.
let listening = false

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function removeAll(): void {
  for (const path of unfinished) {
    try {
      rmSync(path, { force: true })
    } catch {
      // The process is ending; there is nobody to tell.
    }
  }
  unfinished.clear()
}

function onSignal(signal: NodeJS.Signals): void {
  // A program that listens itself decides whether it goes on; if it ends, `exit` follows.
  if (process.listenerCount(signal) > 1) return
  removeAll()
  stopListening()
  process.kill(process.pid, signal)
}

function listen(): void {
  listening = true
  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('exit', removeAll)
}

function stopListening(): void {
  listening = false
  for (const signal of SIGNALS) process.off(signal, onSignal)
  process.off('exit', removeAll)
}

/** From now on this file goes when the process ends. */
export function removeOnExit(path: string): void {
  if (!listening) listen()
  unfinished.add(path)
}

/** The file has its own name now, or is gone. */
export function keepOnExit(path: string): void {
  unfinished.delete(path)
}
