/** Who runs this installation, as the server wrote it into the page. */
export function readOperator(): { name: string; logoUrl: string | null } {
  return { name: readMeta('application-name') ?? 'Carillon', logoUrl: readMeta('operator-logo') }
}

function readMeta(name: string): string | null {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') || null
}
