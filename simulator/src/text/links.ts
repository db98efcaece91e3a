/** Links with a scheme. A bracket belongs to one only if it is closed there; `trimLink` removes the punctuation that ends a sentence. */
const link = /https?:\/\/(?:[^\s<>"()]|\([^\s<>"()]*\))+/gi

export function findLinks(text: string): string[] {
  return [...text.matchAll(link)].map(([found]) => trimLink(found))
}

export function replaceLinks(text: string, change: (url: string) => string): string {
  return text.replaceAll(link, (found) => {
    const url = trimLink(found)
    return change(url) + found.slice(url.length)
  })
}

function trimLink(url: string): string {
  return url.replace(/[.,;:!?'")\]}]+$/, '')
}
