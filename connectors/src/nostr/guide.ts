import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing to set up. Everybody connects with a secret key of their own and the relays that they use.',
    de: 'Nichts einzurichten. Alle verbinden sich mit dem eigenen geheimen Schlüssel und den Relays, die sie nutzen.',
  },
  facts: {
    who: { en: 'Everybody', de: 'Alle' },
    money: {
      en: 'None; some relays and media servers charge members',
      de: 'Keine; manche Relays und Medienserver verlangen Beiträge',
    },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'Nothing. A key cannot be revoked: disconnecting deletes it here.',
      de: 'Nichts. Ein Schlüssel kann nicht widerrufen werden: Trennen löscht ihn hier.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Find the secret key', de: 'Geheimen Schlüssel finden' },
      text: [
        {
          en: 'Your app shows it under *Keys* or *Backup*: it begins with `nsec1`. Whoever has it is you, for ever. Carillon keeps it encrypted and only signs with it.',
          de: 'Deine App zeigt ihn unter *Keys* oder *Backup*: er beginnt mit `nsec1`. Wer ihn hat, ist du, für immer. Carillon bewahrt ihn verschlüsselt auf und signiert nur damit.',
        },
        {
          en: 'For a project, make a new key in your app and use it for nothing else.',
          de: 'Lege für ein Projekt in deiner App einen neuen Schlüssel an und benutze ihn für nichts anderes.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the key, and as the server the address of a relay, such as `relay.example`. More relays are optional; each post goes to all of them, and is published when one has taken it.',
          de: 'Gib den Schlüssel ein, und als Server die Adresse eines Relays, etwa `relay.example`. Weitere Relays sind freiwillig; jeder Beitrag geht an alle und ist veröffentlicht, sobald eines ihn hat.',
        },
        {
          en: 'For posts with files, enter a media server of the kind Blossom. Your app shows the one that it uses under *Media*.',
          de: 'Gib für Beiträge mit Dateien einen Medienserver der Art Blossom ein. Deine App zeigt den, den sie benutzt, unter *Media*.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'No relay answers at an address', de: 'Unter einer Adresse antwortet kein Relay' },
      cure: {
        en: 'Open the address with `https://` in a browser: most relays show a page about themselves. Leave out one that is gone.',
        de: 'Öffne die Adresse mit `https://` in einem Browser: die meisten Relays zeigen eine Seite über sich. Lass eines weg, das es nicht mehr gibt.',
      },
    },
    {
      sign: { en: 'The connection is no longer accepted', de: 'Die Verbindung wird nicht mehr angenommen' },
      cure: {
        en: 'All its relays are for members only, and a membership has ended. Renew it, or connect with other relays.',
        de: 'Alle ihre Relays sind nur für Mitglieder, und eine Mitgliedschaft ist abgelaufen. Erneuere sie, oder verbinde mit anderen Relays.',
      },
    },
    {
      sign: { en: 'A removed post is still there', de: 'Ein entfernter Beitrag ist noch da' },
      cure: {
        en: 'Relays are asked to remove it and need not. Others may have copied it before.',
        de: 'Relays werden gebeten, ihn zu entfernen, und müssen es nicht. Andere können ihn vorher kopiert haben.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/nostr-protocol/nips/blob/master/01.md', on: '2026-11-19' },
    { url: 'https://github.com/nostr-protocol/nips/blob/master/42.md', on: '2026-11-19' },
    { url: 'https://github.com/hzrd149/blossom/blob/master/buds/02.md', on: '2026-11-19' },
  ],
}
