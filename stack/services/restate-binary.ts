import { createRequire } from 'node:module'

/** The program itself, not its npm wrapper: a signal must reach the server, and so must a SIGKILL. */
export function restateBinary(name: 'restate-server' | 'restatectl'): string {
  const wrapper = createRequire(import.meta.url).resolve(`@restatedev/${name}/package.json`)
  return createRequire(wrapper).resolve(`@restatedev/${name}-${process.platform}-${process.arch}/bin/${name}`)
}
