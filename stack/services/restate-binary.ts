import { createRequire } from 'node:module'

/** The path of the program itself: npm's wrapper around it would receive the signals that are meant for the server. */
export function restateBinary(name: 'restate-server' | 'restatectl'): string {
  const wrapper = createRequire(import.meta.url).resolve(`@restatedev/${name}/package.json`)
  return createRequire(wrapper).resolve(`@restatedev/${name}-${process.platform}-${process.arch}/bin/${name}`)
}
