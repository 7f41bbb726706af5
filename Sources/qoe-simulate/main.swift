print("qoe-simulate")
