/** The script of the workers that check proofs off the main thread. */

import 'lightproof/worker'
