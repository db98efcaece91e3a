import { UsageError } from '../cli-error.ts'

/** The address that people open, without a slash at its end. People copy it with or without `/api`, and often without `https://`. */
export function readAddress(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`"${text}" is not the address of a Carillon. Write it as https://carillon.example.`)
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/(?:api\/?)?$/, '')
}

/** Whether an API key on its way there can be read by others. */
export function isReadableByOthers(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname)
}
