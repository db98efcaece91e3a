import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'Nothing to set up. Carillon registers itself at each server when its first account is connected.',
    de: 'Nichts einzurichten. Carillon meldet sich bei jedem Server selbst an, wenn dort das erste Konto verbunden wird.',
  },
  facts: {
    who: { en: 'Everybody, on any server', de: 'Alle, auf jedem Server' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person removes the app in the settings of their server.',
      de: 'Die Person entfernt die App in den Einstellungen ihres Servers.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the address of the server, such as mastodon.social. Its consent page shows your name and these permissions.',
          de: 'Gib die Adresse des Servers ein, etwa mastodon.social. Seine Zustimmungsseite zeigt deinen Namen und diese Berechtigungen.',
        },
      ],
      values: ['name', 'scopes'],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'A server cannot be reached', de: 'Ein Server ist nicht erreichbar' },
      cure: {
        en: 'It must answer on the public internet with https. Some servers block unknown programs; ask who runs it.',
        de: 'Er muss im Internet mit https antworten. Manche Server sperren unbekannte Programme; frage, wer ihn betreibt.',
      },
    },
  ],
  sources: [{ url: 'https://docs.joinmastodon.org/methods/apps/', on: '2026-11-17' }],
}
