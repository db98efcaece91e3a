import { argv, env } from 'node:process'

// The health check of the container: ends with 0 if this process can accept work, which includes its database. With `ready` as argument it
// asks for the whole path of a post, which is red too when the engine or all workers are away.
const check = argv[2] ?? 'accepting'
const url = `http://127.0.0.1:${env['CARILLON_HEALTH_PORT'] ?? '9081'}/health/${check}`
const response = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch((error: unknown) => error)
if (response instanceof Response) {
  console.log(`${response.status} ${await response.text()}`)
  process.exitCode = response.ok ? 0 : 1
} else {
  console.log(`${url} does not answer`, response)
  process.exitCode = 1
}
