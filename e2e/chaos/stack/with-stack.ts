import type { ChaosStack } from './start-chaos-stack.ts'

/** Runs `work` on a stack and stops it afterwards, also when the run is interrupted: its parts are processes of their own. */
export async function withStack<T>(
  start: () => Promise<ChaosStack>,
  { keepsStack = false }: { keepsStack?: boolean },
  work: (stack: ChaosStack) => Promise<T>,
): Promise<T> {
  const stack = await start()
  const interrupt = () => void stack.stop().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    return await work(stack)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
    if (keepsStack) {
      await stack.detach()
      console.log(`the stack stays up in ${stack.info.dir}`)
    } else await stack.stop()
  }
}
