import { parentPort, workerData } from 'node:worker_threads'
import type { SourceFile } from './imports.ts'
import { checkRegularExpressions } from './regular-expressions.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
parentPort?.postMessage(checkRegularExpressions(workerData as readonly SourceFile[]))
