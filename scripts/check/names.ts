import type { Violation, SourceFile } from './imports.ts'

const rules: readonly { pattern: RegExp; problem: string }[] = [
  // Where packages come from is the machine's affair: a clone must install behind any mirror.
  {
    pattern: /\bregistry\.[a-z0-9-]+\.(?:org|com|io|net|dev)\b|\bnpm\.pkg\.[a-z]+\./,
    problem: 'names the host of a package registry',
  },
  { pattern: /(?<![\w.~/*-])\/(?:work|root|Users)\/\w/, problem: "names a path of somebody's machine" },
  { pattern: /\.\.\/shared\//, problem: 'names a folder outside of the repository' },
]

/** What ties the repository to one workplace. */
export function nameComplaints({ path, text }: SourceFile): Violation[] {
  return rules.flatMap(({ pattern, problem }) => {
    const found = pattern.exec(text)
    return found ? [{ path: `${path}:${lineOf(text, found.index)}`, problem: `${problem}: ${found[0]}` }] : []
  })
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
