import { waitUntil } from '@carillon/stack/services'

/** Opens the inspector of a Node.js process from the outside: a signal makes the process listen. */
export async function inspect(pid: number, port: number): Promise<Call> {
  process.kill(pid, 'SIGUSR1')
  let address = ''
  await waitUntil(
    async () => {
      const list: { webSocketDebuggerUrl: string }[] = await fetch(`http://127.0.0.1:${port}/json/list`)
        .then((answer) => answer.json())
        .catch(() => [])
      address = list[0]?.webSocketDebuggerUrl ?? ''
      return address !== ''
    },
    { what: 'the inspector', withinMs: 5000 },
  )
  return openInspector(address)
}

/** Runs a garbage collection in a process, so that its memory contains only what is still in use. */
export async function collectGarbage(pid: number, port: number): Promise<void> {
  const call = await inspect(pid, port)
  await call('HeapProfiler.collectGarbage')
}

export type Call = <T>(method: string, params?: Record<string, unknown>) => Promise<T>

async function openInspector(address: string): Promise<Call> {
  const socket = new WebSocket(address)
  await new Promise((done, fail) => {
    socket.addEventListener('open', done, { once: true })
    socket.addEventListener('error', fail, { once: true })
  })
  let last = 0
  return (method, params = {}) => {
    last++
    const id = last
    return new Promise((done) => {
      const onMessage = (event: MessageEvent<string>) => {
        const message: { id?: number; result?: never } = JSON.parse(event.data)
        if (message.id !== id || message.result === undefined) return
        socket.removeEventListener('message', onMessage)
        done(message.result)
      }
      socket.addEventListener('message', onMessage)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
}
