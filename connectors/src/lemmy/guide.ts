import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing to set up. Everybody connects with the account that they have on their server.',
    de: 'Nichts einzurichten. Alle verbinden sich mit dem Konto, das sie auf ihrem Server haben.',
  },
  facts: {
    who: { en: 'Everybody, on any server with Lemmy 0.19 or newer', de: 'Alle, auf jedem Server mit Lemmy ab 0.19' },
    money: { en: 'None', de: 'Keine' },
    wait: {
      en: 'None, unless people admit new accounts of the server by hand',
      de: 'Keine, außer wenn neue Konten des Servers von Hand zugelassen werden',
    },
    ends: {
      en: 'The person changes the password, or signs out of the session whose token was entered.',
      de: 'Die Person ändert das Passwort oder meldet die Sitzung ab, deren Token eingegeben wurde.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Read the rules of the community', de: 'Regeln der Community lesen' },
      text: [
        {
          en: 'Many servers and communities do not want advertising, or want programs to be marked: in Lemmy *Settings → Bot account*.',
          de: 'Viele Server und Communitys wollen keine Werbung, oder dass Programme gekennzeichnet sind: in Lemmy *Settings → Bot account*.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter your user name, the password of the account, the community that posts go to, such as `bells` or `bells@lemmy.example`, and the address of your server. The password is used once and not kept.',
          de: 'Gib deinen Benutzernamen, das Passwort des Kontos, die Community für die Beiträge, etwa `bells` oder `bells@lemmy.example`, und die Adresse deines Servers ein. Das Passwort wird einmal benutzt und nicht aufbewahrt.',
        },
        {
          en: 'With a second factor, or to enter no password: sign in with a browser and enter the cookie `jwt` of the server in place of the password. Do not sign out of that session.',
          de: 'Mit einem zweiten Faktor, oder um kein Passwort einzugeben: melde dich mit einem Browser an und gib statt des Passworts das Cookie `jwt` des Servers ein. Melde diese Sitzung nicht ab.',
        },
        {
          en: 'Each post can go to another community: choose it with the post.',
          de: 'Jeder Beitrag kann in eine andere Community gehen: wähle sie beim Beitrag.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The server knows no such community', de: 'Der Server kennt die Community nicht' },
      cure: {
        en: 'Write it as Lemmy shows it behind the `!`: `bells` for one of your server, `bells@lemmy.example` for one of another. Search for it on your server once, so that it is fetched from there.',
        de: 'Schreibe sie so, wie Lemmy sie hinter dem `!` zeigt: `bells` für eine deines Servers, `bells@lemmy.example` für eine eines anderen. Suche sie einmal auf deinem Server, damit er sie von dort holt.',
      },
    },
    {
      sign: { en: 'Posts are sent late', de: 'Beiträge gehen spät hinaus' },
      cure: {
        en: 'A new server takes six posts in ten minutes from one address, and six images in an hour. Who runs the server can raise that.',
        de: 'Ein neuer Server nimmt sechs Beiträge in zehn Minuten von einer Adresse, und sechs Bilder in einer Stunde. Wer den Server betreibt, kann das erhöhen.',
      },
    },
    {
      sign: { en: 'A post is unconfirmed', de: 'Ein Beitrag ist unbestätigt' },
      cure: {
        en: 'Look into the community. Lemmy takes tracking parts out of addresses and replaces words that the server does not like; such a post cannot be recognised for certain.',
        de: 'Sieh in der Community nach. Lemmy entfernt Tracking-Teile aus Adressen und ersetzt Wörter, die der Server nicht mag; ein solcher Beitrag ist nicht sicher zu erkennen.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/LemmyNet/lemmy/blob/0.19.19/crates/api/src/local_user/login.rs', on: '2026-11-19' },
    { url: 'https://github.com/LemmyNet/lemmy/blob/0.19.19/crates/utils/src/rate_limit/mod.rs', on: '2026-11-19' },
  ],
}
