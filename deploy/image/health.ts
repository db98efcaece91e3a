import { setTimeout as sleep } from 'node:timers/promises'
import { argv, env } from 'node:process'

// The health checks of the containers, with up to two arguments.
//   accepting   this process can accept work, which includes its database; without an argument. What a restart may mend.
//   ready       the whole path of a post, which is red too when the engine or all workers are away.
//   watch       says in the log when `ready` or its reason changes, and does not end.
// The second is the address to ask, if it is not that of this container.
const [, , check = 'accepting', origin = `http://127.0.0.1:${env['CARILLON_HEALTH_PORT'] ?? '9081'}`] = argv

type Answer = { isOk: boolean; status: number | null; text: string }

/** Longer than the service waits for its database before it names it as the problem, and shorter than Docker waits for the check. */
const timeoutMs = 8000

async function ask(what: string): Promise<Answer> {
  const url = `${origin}/health/${what}`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    return { isOk: response.ok, status: response.status, text: `${response.status} ${await response.text()}` }
  } catch (error) {
    return { isOk: false, status: null, text: `${url} does not answer: ${String(error)}` }
  }
}

if (check === 'watch') {
  // The first process of a container ignores signals that it does not handle.
  process.on('SIGTERM', () => process.exit(0))
  let before: number | null | undefined
  for (;;) {
    const { isOk, status, text } = await ask('ready')
    // The first answer of an outage may be a timeout, and the one after it names the cause. The text alone has ages that always change.
    if (status !== before) console.log(`${new Date().toISOString()} ${isOk ? 'posts are sent' : 'posts are NOT sent'}: ${text}`)
    before = status
    await sleep(5000)
  }
} else {
  const { isOk, text } = await ask(check)
  console.log(text)
  process.exitCode = isOk ? 0 : 1
}
