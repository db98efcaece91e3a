import type { Config } from '../../config.ts'
import { fetchText } from './fetch-text.ts'

/** Whether a process of Carillon answers on the private health port of these settings. */
export async function isCarillonRunning({ healthHost, healthPort }: Pick<Config, 'healthHost' | 'healthPort'>): Promise<boolean> {
  const host = healthHost === '0.0.0.0' || healthHost === '::' ? '127.0.0.1' : healthHost
  return isCarillon((await fetchText(`http://${host.includes(':') ? `[${host}]` : host}:${healthPort}/health/live`)).text)
}

/** What `/health/live` of every role answers. */
export function isCarillon(text: string): boolean {
  return text === '{"status":"ok"}'
}
