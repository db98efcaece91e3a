/** Logs in at the provider and gives consent, form by form. Returns the address to which the provider redirects the person. */
export async function logIn(authorizeUrl: string, login: string, backTo: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = authorizeUrl
  let form: Record<string, string> | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location) {
      url = new URL(location, url).href
      form = null
      if (url.startsWith(backTo)) return url
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`there is no form at ${url}: ${response.status} ${page.slice(0, 300)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    url = new URL(action, url).href
    form = { prompt, ...(prompt === 'login' && { login, password: 'any' }) }
  }
  throw new Error('the identity provider redirected too many times')
}
