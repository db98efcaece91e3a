import { setTimeout as sleep } from 'node:timers/promises'
import { argv, env } from 'node:process'

// The health checks of the containers, with up to two arguments.
//   accepting   this process can accept work, which includes its database; without an argument. What a restart may mend.
//   ready       the whole path of a post, which is red too when the engine or all workers are away.
//   watch       says in the log when `ready` changes, and does not end.
// The second is the address to ask, if it is not that of this container.
const [, , check = 'accepting', origin = `http://127.0.0.1:${env['CARILLON_HEALTH_PORT'] ?? '9081'}`] = argv

async function ask(what: string): Promise<{ isOk: boolean; answer: string }> {
  const url = `${origin}/health/${what}`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(4000) })
    return { isOk: response.ok, answer: `${response.status} ${await response.text()}` }
  } catch (error) {
    return { isOk: false, answer: `${url} does not answer: ${String(error)}` }
  }
}

if (check === 'watch') {
  // The first process of a container ignores signals that it does not handle.
  process.on('SIGTERM', () => process.exit(0))
  let before: boolean | null = null
  for (;;) {
    const { isOk, answer } = await ask('ready')
    if (isOk !== before) console.log(`${new Date().toISOString()} ${isOk ? 'posts are sent' : 'posts are NOT sent'}: ${answer}`)
    before = isOk
    await sleep(5000)
  }
} else {
  const { isOk, answer } = await ask(check)
  console.log(answer)
  process.exitCode = isOk ? 0 : 1
}
