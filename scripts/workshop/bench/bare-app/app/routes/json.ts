export const loader = () => Response.json({ balance: 100, transactions: [] });
