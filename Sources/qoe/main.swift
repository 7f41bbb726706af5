print("qoe")
